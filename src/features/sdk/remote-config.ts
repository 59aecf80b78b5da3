/**
 * The project's configuration for the SDKs: where to send, whether to record. There are no feature flags, surveys or
 * apps. Absent on purpose: `surveys`, whose mere presence makes the SDK fetch a script.
 */
import type { Project } from '../../model/accounts/project.ts'

/** The settings of a project that the SDKs are told. */
type Told = Pick<
  Project,
  | 'sessionRecordingOptIn'
  | 'captureConsoleLogOptIn'
  | 'autocaptureExceptionsOptIn'
  | 'autocaptureWebVitalsOptIn'
  | 'heatmapsOptIn'
  | 'captureDeadClicks'
>

/** Bodies and headers of the visitor's own requests are not recorded; nor are canvases, which need scripts to play. */
const recording = (project: Told) => ({
  endpoint: '/s/',
  consoleLogRecordingEnabled: project.captureConsoleLogOptIn,
  recorderVersion: 'v2',
  sampleRate: null,
  minimumDurationMilliseconds: null,
  linkedFlag: null,
  networkPayloadCapture: null,
  masking: null,
  urlTriggers: [],
  urlBlocklist: [],
  eventTriggers: [],
  triggerMatchType: null,
  scriptConfig: null,
  recordCanvas: false,
  canvasFps: null,
  canvasQuality: null,
})

const configOf = (project: Told) => ({
  // Without gzip-js here the SDK sends uncompressed bodies, each with a preflight.
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: false,
  // Absent counts as opted out.
  autocapture_opt_out: false,
  capturePerformance: { network_timing: true, web_vitals: project.autocaptureWebVitalsOptIn },
  // The browser SDK reads the first, those of mobile apps the second.
  autocaptureExceptions: project.autocaptureExceptionsOptIn,
  errorTracking: { autocaptureExceptions: project.autocaptureExceptionsOptIn, suppressionRules: [] },
  analytics: { endpoint: '/i/v0/e/' },
  elementsChainAsString: true,
  captureDeadClicks: project.captureDeadClicks,
  heatmaps: project.heatmapsOptIn,
  siteApps: [],
  isAuthenticated: false,
  toolbarParams: {},
  editorParams: {},
  defaultIdentifiedOnly: true,
  sessionRecording: project.sessionRecordingOptIn ? recording(project) : false,
})

export type SdkConfig = ReturnType<typeof configOf>

export const remoteConfig = (project: Project) => ({ token: project.apiToken, ...configOf(project) })

type RemoteConfig = ReturnType<typeof remoteConfig>

/** For who names no project: nothing that a project has to switch on. */
export const CONFIG_WITHOUT_PROJECT: SdkConfig = configOf({
  sessionRecordingOptIn: false,
  captureConsoleLogOptIn: false,
  autocaptureExceptionsOptIn: false,
  autocaptureWebVitalsOptIn: false,
  heatmapsOptIn: false,
  captureDeadClicks: false,
})

/** The same as a script: the global that config.js sets for the SDK. */
export function remoteConfigScript(config: RemoteConfig): string {
  const entry = JSON.stringify({ config, siteApps: [] })
  const all = 'window._POSTHOG_REMOTE_CONFIG'
  return `(function () {\n  ${all} = ${all} || {}\n  ${all}[${JSON.stringify(config.token)}] = ${entry}\n})()\n`
}
