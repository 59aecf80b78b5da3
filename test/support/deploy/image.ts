/**
 * Makes of a Dockerfile what a container engine would, in a folder instead of an image: each stage has a folder that
 * stands for its `/`, this machine stands for the images it begins with, and commands run as a user without rights.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, renameSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { type Instruction, readCommand, readDockerfile, readPairs, type Stage } from './dockerfile.ts'

interface Account {
  uid: number
  gid: number
}

const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
const isRoot = process.getuid?.() === 0
/** Who commands run as: root becomes nobody, anybody else stays. */
export const account: Account = isRoot
  ? { uid: idOf('-u'), gid: idOf('-g') }
  : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

const give = ({ uid, gid }: Account, path: string): void => {
  if (isRoot) execFileSync('chown', ['-R', `${uid}:${gid}`, path])
}

export interface Image {
  /** The folder that stands for `/`. */
  root: string
  workdir: string
  /** As the file has it, before its paths become ours. */
  env: Record<string, string>
  user: string | null
  volumes: string[]
  ports: number[]
  health: string[]
  command: string[]
  /** The commands that were run, in all stages. */
  ran: string[]
  /** Paths of the image in a text become those of its folder. */
  ours(text: string): string
}

interface Context {
  /** The folder that is built. */
  folder: string
  isIgnored(path: string): boolean
  /** Where the stages are. */
  into: string
  /** For RUN. */
  env: Record<string, string>
  /** What is done in the folder in place of a command, by its text. */
  instead: Map<string, (folder: string) => void>
}

interface Making extends Context {
  image: Image
  /** Folders of the stages before, by name. */
  stages: Map<string, string>
}

const newImage = (root: string): Image => {
  const image: Image = {
    root,
    workdir: '/',
    env: {},
    user: null,
    volumes: [],
    ports: [],
    health: [],
    command: [],
    ran: [],
    ours(text) {
      const folders = [this.workdir, ...Object.values(this.env), ...this.volumes].filter((path) => path.startsWith('/'))
      const known = [...new Set(folders)].filter((path) => path !== '/')
      // Only whole paths, and those below them.
      return known.reduce(
        (done, path) => done.replaceAll(new RegExp(`(?<![\\w/])${path}(?![\\w-])`, 'g'), join(root, path)),
        text,
      )
    },
  }
  return image
}

/** A path of the image, in its folder. */
const place = ({ root, workdir }: Image, path: string): string => join(root, posix.resolve(workdir, path))

function copyOne({ stages, folder, isIgnored }: Making, from: string | undefined, source: string, to: string) {
  if (from === undefined) {
    if (isIgnored(source)) throw new Error(`${source} is copied, but .dockerignore keeps it out`)
    cpSync(join(folder, source), to, { recursive: true })
    give(account, to)
  } else {
    const stage = stages.get(from)
    if (stage === undefined) throw new Error(`no stage ${from}`)
    // Moved, because nobody needs it there any more.
    renameSync(join(stage, source), to)
  }
}

function copy(making: Making, text: string): void {
  const [, from, words = ''] = /^(?:--from=(\w+) )?([^-].*)$/.exec(text) ?? []
  const sources = words.split(/ +/)
  const target = sources.pop() ?? ''
  for (const source of sources) {
    const name = target.endsWith('/') ? join(target, basename(source)) : target
    copyOne(making, from, source, place(making.image, name))
  }
}

async function run({ image, env, instead }: Making, text: string): Promise<void> {
  const other = instead.get(text)
  if (other !== undefined) return other(place(image, '.'))
  // The user of the image is ours.
  const own = text.replace(/--owner=\w+/, `--owner=${account.uid}`).replace(/--group=\w+/, `--group=${account.gid}`)
  const child = spawn('sh', ['-ec', image.ours(own)], {
    cwd: place(image, '.'),
    env: { PATH: process.env.PATH, ...env },
    ...account,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`RUN ${text}\nended with ${code}:\n${said}`)
  image.ran.push(text)
}

const STEPS: Record<string, (making: Making, text: string) => void | Promise<void>> = {
  WORKDIR: ({ image }, text) => {
    image.workdir = text
    mkdirSync(place(image, '.'), { recursive: true })
    give(account, image.root)
  },
  COPY: copy,
  RUN: run,
  ENV: ({ image }, text) => void Object.assign(image.env, Object.fromEntries(readPairs(text))),
  USER: ({ image }, text) => {
    image.user = text
    // What was copied before is root's.
    if (isRoot) execFileSync('chown', ['-R', 'root', place(image, '.')])
  },
  VOLUME: ({ image }, text) => void image.volumes.push(text),
  EXPOSE: ({ image }, text) => void image.ports.push(Number(text)),
  HEALTHCHECK: ({ image }, text) => {
    image.health = readCommand(/ CMD (.+)$/.exec(` ${text}`)?.[1] ?? '')
  },
  CMD: ({ image }, text) => {
    image.command = readCommand(text)
  },
}

async function makeStage(context: Context, stages: Map<string, string>, { name, instructions }: Stage): Promise<Image> {
  const root = join(context.into, name ?? 'last')
  mkdirSync(root)
  for (const path of ['var/lib', 'tmp']) mkdirSync(join(root, path), { recursive: true })
  give(account, root)
  const image = newImage(root)
  const step = ({ name: word, text }: Instruction) => STEPS[word]?.({ ...context, image, stages }, text)
  for (const instruction of instructions) await step(instruction)
  stages.set(name ?? 'last', root)
  return image
}

async function makeStages(dockerfile: string, context: Context): Promise<Image> {
  const stages = new Map<string, string>()
  const ran: string[] = []
  let image: Image | undefined
  for (const stage of readDockerfile(dockerfile).stages) {
    image = await makeStage(context, stages, stage)
    ran.push(...image.ran)
  }
  if (image === undefined) throw new Error('no stage')
  return { ...image, ran }
}

/** The last stage. */
export async function makeImage(dockerfile: string, context: Context): Promise<Image> {
  // As in a container; stores that were opened in this process have set another.
  const before = process.umask(0o022)
  try {
    return await makeStages(dockerfile, context)
  } finally {
    process.umask(before)
  }
}
