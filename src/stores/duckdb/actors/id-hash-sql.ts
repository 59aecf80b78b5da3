/** SQL of the number of a distinct id (stores/id-hash.ts), for a row of `row` with `project_id` and `distinct_id`. */
export const idHashSql = (row: string): string =>
  `~(('0x' || left(sha256(${row}.project_id || '/' || ${row}.distinct_id), 16))::UBIGINT >> 1)::BIGINT`
