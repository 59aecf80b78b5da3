/** The place of what is on its way, as high as that will be. */
import styles from './states.module.css'

export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <div key={line} className={styles.bar} />
      ))}
    </div>
  )
}
