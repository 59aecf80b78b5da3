/** Small in `npm test`, large in `npm run soak`. */
export const size = (small: number, large: number): number => (process.env.SOAK === undefined ? small : large)
