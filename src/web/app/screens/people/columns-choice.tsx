/** The button that opens the choice of columns. */
import { TableIcon } from '@radix-ui/react-icons'
import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { Button } from '../../kit/form/button.tsx'

interface ColumnsChoiceProps {
  columns: readonly string[]
  onColumns: (columns: string[]) => void
}

/** Loaded when somebody comes near, by pointer or by keys: it is there when it is opened. */
const ColumnsDialog = lazyRouteComponent(() => import('./columns-dialog.tsx'), 'ColumnsDialog')
const comeNear = () => void ColumnsDialog.preload?.()

export function ColumnsChoice(props: ColumnsChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<TableIcon />} onPointerEnter={comeNear} onFocus={comeNear} onClick={() => setOpen(true)}>
        Columns
      </Button>
      <Suspense>{isOpen && <ColumnsDialog {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
