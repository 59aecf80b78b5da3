/**
 * Gives back memory that the process holds but no longer uses. Loading a program leaves the young generation of
 * the heap at its full size, a quarter of what an idle server holds, and nothing shrinks it by itself; only the
 * collector that the debugger can ask for does. It stops the process for some tens of milliseconds.
 */
export async function releaseMemory(): Promise<void> {
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}
