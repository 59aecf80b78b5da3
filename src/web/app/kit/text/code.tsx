/** Code to read and to copy. */
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../form/button.tsx'
import { copyText } from './copy-text.ts'
import styles from './text.module.css'

const SAID_MS = 2_000

export function CopyButton({ text, name = 'Copy' }: { text: string; name?: string }) {
  const [said, setSaid] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const run = async () => {
    setSaid((await copyText(text)) ? 'Copied' : 'Not copied')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setSaid(null), SAID_MS)
  }
  return (
    <Button small icon={said === 'Copied' ? <CheckIcon /> : <CopyIcon />} onClick={run} aria-live="polite">
      {said ?? name}
    </Button>
  )
}

interface CodeProps {
  text: string
  /** What it is, for screen readers. */
  label: string
  /** So many characters are drawn; all without it. */
  shown?: number
}

export function Code({ text, label, shown }: CodeProps) {
  return (
    <figure className={styles.code} aria-label={label}>
      <pre>
        <code>{shown === undefined ? text : text.slice(0, shown)}</code>
      </pre>
      <div className={styles.copy}>
        <CopyButton text={text} />
      </div>
    </figure>
  )
}

/** One value, such as a token, with its button beside it. */
export function CopyValue({ text }: { text: string }) {
  return (
    <div className={styles.inline}>
      <code className={styles.value}>{text}</code>
      <CopyButton text={text} />
    </div>
  )
}
