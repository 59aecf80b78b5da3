/** The program of 18.16. */
export const CLICKHOUSE: string
/** The package chdb-wasm, and the Node that runs it. */
export const CHDB: string
export const NODE_OF_CHDB: string
/** Folders that the program of 18.16 needs in LD_LIBRARY_PATH. */
export function librariesOfClickhouse(): string[]
/** Folder of the programs of ZooKeeper, which Java runs; and how it gets there. */
export const JARS_OF_ZOOKEEPER: string
export function fetchZookeeper(): void
