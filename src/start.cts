#!/usr/bin/env node
/**
 * What has to be set before anything is loaded, then the program.
 *
 * Files and compression are worked on by threads whose number is fixed at their first use: recordings wait for the
 * disk there, and four threads, the default, would make everything else wait with them.
 *
 * Every request makes objects for process.nextTick. When none of them is alive during the collections of the start,
 * the engine forgets their shape and makes them several times slower ever after. So one is kept.
 */
process.env.UV_THREADPOOL_SIZE ??= '16'

/** Exported, so that nothing takes it for garbage. */
const kept: object[] = []
module.exports = { kept }
const hook = process.getBuiltinModule('node:async_hooks').createHook({
  init(_id, type, _trigger, resource) {
    if (type === 'TickObject') kept.push(resource)
  },
})
hook.enable()
process.nextTick(() => {})
hook.disable()

void import('./main.ts')
