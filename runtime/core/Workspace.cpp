/// Creates, grows and destroys workspaces.
#include "Workspace.h"

#include "runtime/messages/Error.h"

#include <memory>
#include <new>

using namespace tg;

tg_workspace_t::~tg_workspace_t() {
  if (data)
    memory->release(data, bytes);
}

tg_status_t tg_workspace_t::grow(uint64_t needed, tg_error_t *error) {
  if (needed <= bytes)
    return TG_OK;
  needed = roundUp(needed, alignment);
  char *grown;
  const tg_status_t status =
      allocateBlock(*memory, needed, alignment, "workspace", grown, error);
  if (status != TG_OK)
    return status;
  memory->release(data, bytes);
  data = grown;
  bytes = needed;
  return TG_OK;
}

tg_status_t tg::failWorkspaceBusy(tg_error_t *error) {
  return fail(error, TG_ERROR_BUSY,
              "found another context that computes in the workspace, expected "
              "to wait until its run returns, or another workspace");
}

tg_status_t tg_workspace_create(const tg_hooks_t *hooks,
                                tg_workspace_t **workspace, tg_error_t *error) {
  return tg_workspace_create_on({TG_DEVICE_CPU, 0}, hooks, workspace, error);
}

tg_status_t tg_workspace_create_on(tg_device_t device, const tg_hooks_t *hooks,
                                   tg_workspace_t **workspace,
                                   tg_error_t *error) {
  if (!workspace)
    return fail(error, TG_ERROR_NULL, "workspace is null");
  *workspace = nullptr;
  tg_hooks_t read = {};
  tg_status_t status = readHooks(hooks, read, error);
  if (status != TG_OK)
    return status;
  ErrorScope scope(read, error);
  std::unique_ptr<tg_workspace_t> created(new (std::nothrow) tg_workspace_t);
  if (!created)
    return scope.finish(
        fail(scope.get(), TG_ERROR_MEMORY, "no memory for a workspace"));
  created->hooks = read;
  status = created->sharedMemory.open(device, scope.get());
  if (status != TG_OK)
    return scope.finish(status);
  created->memory = &created->sharedMemory.get();
  created->alignment = created->sharedMemory.alignment();
  *workspace = created.release();
  return TG_OK;
}

tg_status_t tg_workspace_destroy(tg_workspace_t *workspace, tg_error_t *error) {
  if (!workspace)
    return fail(error, TG_ERROR_NULL, "workspace is null");
  ErrorScope scope(workspace->hooks, error);
  if (const uint32_t contexts = workspace->contexts)
    return scope.finish(failNumber(scope.get(), TG_ERROR_BUSY, contexts, 0,
                                   "%u contexts still use the workspace",
                                   contexts));
  delete workspace;
  return TG_OK;
}

uint64_t tg_workspace_bytes(const tg_workspace_t *workspace) {
  return workspace ? workspace->bytes.load() : 0;
}
