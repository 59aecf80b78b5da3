import { openSqliteStores } from '../contract/open-sqlite.ts'
import { recordingContract } from '../contract/recording.contract.ts'
import { recordingIntakeContract } from '../contract/recording-intake.contract.ts'
import { recordingPersonContract } from '../contract/recording-person.contract.ts'
import { sharingContract } from '../contract/sharing.contract.ts'

recordingContract('SQLite', openSqliteStores)
recordingIntakeContract('SQLite', openSqliteStores)
recordingPersonContract('SQLite', openSqliteStores)
sharingContract('SQLite', openSqliteStores)
