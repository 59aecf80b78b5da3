/** What somebody with the link sees beside the recording. */
import type { ShareSettings } from '../../../data/recordings/sharing.ts'
import { SelectField, SwitchField } from '../../../kit/form/field.tsx'

interface SharedLookProps {
  settings: ShareSettings
  disabled: boolean
  /** A change is under way. */
  busy: boolean
  /** All of them: what is not named is gone. */
  onSettings: (settings: ShareSettings) => void
}

const FLAGS = [
  ['showInspector', 'With the list of what happened', 'Pages, clicks and console lines, with their times.'],
  ['noHeader', 'Without the header', 'For a page of your own.'],
  ['loadRemote', 'With images and fonts of the recorded site', 'Its servers learn who watches, and when.'],
] as const

const THEMES = [
  ['system', 'As their system has it'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

export function SharedLook({ settings, disabled, busy, onSettings }: SharedLookProps) {
  return (
    <>
      {FLAGS.map(([name, label, hint]) => (
        <SwitchField
          key={name}
          label={label}
          hint={hint}
          checked={settings[name] === true}
          disabled={disabled}
          busy={busy}
          onChecked={(checked) => onSettings({ ...settings, [name]: checked })}
        />
      ))}
      <SelectField
        label="Theme"
        choices={THEMES}
        value={settings.theme ?? 'system'}
        disabled={disabled}
        onText={(theme) => busy || onSettings({ ...settings, theme: theme as NonNullable<ShareSettings['theme']> })}
      />
    </>
  )
}
