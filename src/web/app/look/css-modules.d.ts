/** What a stylesheet of a part gives to its script: the names that its classes have in the build. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  // biome-ignore lint/style/noDefaultExport: so is it made
  export default classes
}
declare module '*.css'
