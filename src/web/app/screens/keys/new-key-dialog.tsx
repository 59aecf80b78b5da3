/** A new key: its name, what it may do, where, and for how long. */
import { type FormEvent, useId, useState } from 'react'
import { type Key, useMakeKey } from '../../data/keys.ts'
import { problemAt, problemBeside } from '../../data/requests/api-problem.ts'
import { boot } from '../../data/session.ts'
import { Button } from '../../kit/form/button.tsx'
import { SelectField, TextField } from '../../kit/form/field.tsx'
import { Stack } from '../../kit/layout/card.tsx'
import { Dialog } from '../../kit/overlay/dialog.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { PRESET_IDS, type PresetId } from './keys.search.ts'
import { DAYS, expiryIn, type Lifetime } from './lifetime.ts'
import { choiceOf, PRESETS, scopesOf } from './scopes.ts'
import { ScopesChoice } from './scopes-choice.tsx'

interface NewKeyDialogProps {
  preset: PresetId
  onPreset: (preset: PresetId) => void
  onClose: () => void
  onMade: (key: Key) => void
}

const FIELDS = ['label', 'scopes', 'scoped_teams', 'expires_at']
const PRESET_CHOICES = PRESET_IDS.map((id) => [id, `${PRESETS[id].name}: ${PRESETS[id].about}`] as const)

export function NewKeyDialog({ preset, onPreset, onClose, onMade }: NewKeyDialogProps) {
  const form = useId()
  const [label, setLabel] = useState('')
  const [own, setOwn] = useState(() => choiceOf(preset))
  const [project, setProject] = useState('')
  const [lifetime, setLifetime] = useState<Lifetime>('never')
  const make = useMakeKey()
  const projects = (boot.signed_in?.projects ?? []).map(({ id, name }) => [String(id), name] as const)
  const scopes = scopesOf(preset, preset === 'own' ? own : choiceOf(preset))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = {
      label,
      scopes,
      scoped_teams: project === '' ? null : [Number(project)],
      expires_at: expiryIn(lifetime, Date.now()),
    }
    make.mutate(body, { onSuccess: onMade })
  }
  const rest = problemBeside(make.error, FIELDS)
  return (
    <Dialog
      title="New API key"
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" form={form} busy={make.isPending} disabled={scopes.length === 0}>
            Create the key
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Stack wide>
          <TextField
            label="Name"
            required
            maxLength={40}
            placeholder="Nightly export"
            hint="So that you know later what it is for."
            value={label}
            onText={setLabel}
            problem={problemAt(make.error, 'label')}
          />
          <SelectField
            label="Access"
            choices={PRESET_CHOICES}
            value={preset}
            onText={(id) => {
              if (id === 'own') setOwn(choiceOf(preset))
              onPreset(id as PresetId)
            }}
            problem={problemAt(make.error, 'scopes')}
          />
          <ScopesChoice
            choice={preset === 'own' ? own : choiceOf(preset)}
            onChoice={(changed) => {
              setOwn(changed)
              onPreset('own')
            }}
          />
          <SelectField
            label="Projects"
            choices={[['', 'All my projects'], ...projects]}
            value={project}
            onText={setProject}
            problem={problemAt(make.error, 'scoped_teams')}
          />
          <SelectField
            label="Expires"
            choices={DAYS}
            value={lifetime}
            onText={(chosen) => setLifetime(chosen as Lifetime)}
            problem={problemAt(make.error, 'expires_at')}
          />
          {rest !== null && <Problem error={rest} />}
        </Stack>
      </form>
    </Dialog>
  )
}
