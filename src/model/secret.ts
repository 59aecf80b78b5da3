/** Secrets the server makes for itself at the first start and needs again later. */

export interface SecretWriter {
  /** The secret of that name; made and stored when there is none. */
  findOrCreate(name: string, make: () => string): Promise<string>
}
