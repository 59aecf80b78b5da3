/** Code to read and to copy. Where the browser offers no clipboard, as over plain HTTP, the text is selected and copied. */
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../form/button.tsx'
import styles from './text.module.css'

function copySelected(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  const host = document.querySelector('dialog[open]') ?? document.body
  host.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

const SAID_MS = 2_000

export function CopyButton({ text, name = 'Copy' }: { text: string; name?: string }) {
  const [said, setSaid] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const run = async () => {
    setSaid((await copy(text)) ? 'Copied' : 'Not copied')
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
}

export function Code({ text, label }: CodeProps) {
  return (
    <figure className={styles.code} aria-label={label}>
      <pre>
        <code>{text}</code>
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
