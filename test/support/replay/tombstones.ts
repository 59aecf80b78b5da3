/** How many recordings are replaced by tombstones in each transaction while `work` runs. */
import type { SqlWriters } from '../../../src/model/stores.ts'
import type { TestApp } from '../app.ts'

export async function buriedAtOnce({ stores }: TestApp, work: () => Promise<unknown>): Promise<number[]> {
  const { transaction } = stores
  const counts: number[] = []
  stores.transaction = async (inside) => {
    let count = 0
    const result = await transaction((tx: SqlWriters) => {
      count = 0
      const { replaceByTombstone } = tx.recordings
      tx.recordings.replaceByTombstone = async (...given) => {
        const buried = await replaceByTombstone(...given)
        count += buried.length
        return buried
      }
      return inside(tx)
    })
    if (count > 0) counts.push(count)
    return result
  }
  try {
    await work()
  } finally {
    stores.transaction = transaction
  }
  return counts
}
