/** The seed of a run: another one each time, or that of ORACLE_SEED, to reproduce a run. */

export const SEED = Number(process.env.ORACLE_SEED ?? Math.floor(Math.random() * 1_000_000_000))

/** For the name of a test, so that it is in every report. */
export const seedText = `ORACLE_SEED=${SEED}`
