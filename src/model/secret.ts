/** Secrets that the server generates at its first start and needs again later. */

export interface SecretWriter {
  /** The secret of that name; generated and stored when there is none. */
  findOrCreate(name: string, make: () => string): Promise<string>
}
