"""Shows that tg-lsp-server outlives crashes and ends as editors expect."""

import os
import signal
import subprocess
import sys

from client import Client

MODEL = """func.func @f(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %y = tg.abs %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""


def hover(client):
    """Returns the name of the op that the model has in line 1, or the error."""
    reply = client.ask("hover", 1, 8)
    if "error" in reply:
        return reply["error"]["message"]
    return reply["result"]["contents"]["value"].split("\n")[0]


def kill_worker(client):
    """Ends MLIR's server, as an error in it would."""
    pid = client.server.pid
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as children:
        [worker] = children.read().split()
    os.kill(int(worker), signal.SIGKILL)


def check(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: expected {expected!r}, found {found!r}")


def main():
    client = Client()
    check("a valid model", client.open(MODEL), [])
    check("hover", hover(client), '"tg.abs"')
    kill_worker(client)
    check("a request that ends the worker", hover(client),
          "the request ended MLIR's server, which was started again")
    check("the new worker", hover(client), '"tg.abs"')
    kill_worker(client)
    check("a text that ends the worker", client.change(MODEL.replace("abs", "exp")), [])
    check("a withheld text", client.ask("hover", 1, 8)["result"], None)
    check("the next text", client.change(MODEL.replace("abs", "log")), [])
    check("its hover", hover(client), '"tg.log"')
    deep = "func.func @f() attributes {a = " + "[" * 100000 + "} {return}"
    check("a text that MLIR cannot parse", len(client.change(deep)), 1)
    check("hover over the text before it", hover(client), '"tg.log"')
    check("status", client.end(), 0)

    client = Client()
    client.server.stdin.close()
    check("status without exit", client.server.wait(), 1)

    client = Client("--ir")
    check("IR of a phase", client.open('module attributes {tgx.target = #tgx.target<kind = "cpu", '
                                       'optimization = 2>} {}'), [])
    check("its status", client.end(), 0)

    wrong = subprocess.run(["tg-lsp-server", "--no-such"], capture_output=True, text=True, check=False)
    check("a wrong option", (wrong.returncode, wrong.stderr),
          (1, "tg-lsp-server: error: expected a known option, found '--no-such'\n"))


main()
