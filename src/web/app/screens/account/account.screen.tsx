/** The user's own: the password, where they are signed in, and the keyboard. */
import { setShortcuts, shortcutsEnabled } from '../../data/keyboard.ts'
import { boot } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import { SwitchField } from '../../kit/form/field.tsx'
import { Card } from '../../kit/layout/card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SignInsCard } from './sign-ins-card.tsx'

export function AccountScreen() {
  const enabled = useStore(shortcutsEnabled)
  return (
    <>
      <PasswordCard via={boot.signed_in?.via ?? 'password'} email={boot.signed_in?.user.email ?? ''} />
      <SignInsCard />
      <Card title="Keyboard">
        <SwitchField
          label="Single keys are shortcuts"
          hint="Such as t for the theme. When off, only those with ⌘ or Ctrl work. This browser remembers it."
          checked={enabled}
          onChecked={setShortcuts}
        />
      </Card>
    </>
  )
}
