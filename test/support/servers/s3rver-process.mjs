/**
 * `node --openssl-legacy-provider s3rver-process.mjs FOLDER BUCKET`: s3rver on a free port, which it prints, until its
 * input ends. A process of its own, because its tokens for further pages are encrypted as OpenSSL does only by this flag.
 */
import S3rver from 's3rver'

const [directory, name] = process.argv.slice(2)
const configureBuckets = [{ name, configs: [] }]
const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets })
const { port } = await server.run()
process.stdout.write(`${port}\n`)
process.stdin.resume().on('end', () => process.exit())
