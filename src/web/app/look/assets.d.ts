/** A picture gives its address in the build. */
declare module '*.svg' {
  const address: string
  // biome-ignore lint/style/noDefaultExport: so is it made
  export default address
}
