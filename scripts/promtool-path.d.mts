export const PROMTOOL: string
