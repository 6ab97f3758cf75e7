"""A client of tg-lsp-server for tests."""

import json
import subprocess

URI = "file:///model.mlir"


class Client:
    """A server and the messages that it sent."""

    def __init__(self, *arguments):
        self.server = subprocess.Popen(["tg-lsp-server", *arguments], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.requests = 0
        self.call("initialize", {"capabilities": {}})

    def send(self, method, params, **more):
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        text = json.dumps(message).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.server.stdin.flush()

    def receive(self):
        """Returns the next message of the server."""
        length = 0
        while line := self.server.stdout.readline().strip():
            length = int(line.rpartition(b" ")[2])
        assert length, "the server has ended"
        return json.loads(self.server.stdout.read(length))

    def call(self, method, params):
        """Returns the reply to a request."""
        self.requests += 1
        self.send(method, params, id=self.requests)
        reply = self.receive()
        assert reply["id"] == self.requests, reply
        return reply

    def show(self, method, document, **more):
        """Sends a text and returns its diagnostics."""
        self.send(method, {"textDocument": document, **more})
        message = self.receive()
        assert message["method"] == "textDocument/publishDiagnostics", message
        assert message["params"]["uri"] == document["uri"], message
        return message["params"]["diagnostics"]

    def open(self, text, uri=URI):
        return self.show("textDocument/didOpen",
                         {"uri": uri, "languageId": "mlir", "version": 1, "text": text})

    def change(self, text, uri=URI):
        return self.show("textDocument/didChange", {"uri": uri, "version": 2},
                         contentChanges=[{"text": text}])

    def ask(self, method, line, character, uri=URI):
        """Returns the reply to a request about a place, which counts from 0."""
        return self.call("textDocument/" + method,
                         {"textDocument": {"uri": uri},
                          "position": {"line": line, "character": character}})

    def end(self):
        """Ends the server and returns its status."""
        self.call("shutdown", None)
        self.send("exit", None)
        return self.server.wait()
