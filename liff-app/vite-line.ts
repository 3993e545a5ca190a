import type { Plugin } from 'vite'

const EMULATOR = 'globalThis.lineEmulatorUrl'

/** What is changed in the SDK, which has no settings for it: a module, the code to replace, and what replaces it. */
const CHANGES: [module: string, place: string, instead: (place: string) => string][] = [
  // The SDK's calls go to the emulator.
  [
    'server-api',
    '"https://".concat(a,".").concat("line.me","/").concat(n)',
    place => `(${EMULATOR}?${EMULATOR}+"/".concat(n):${place})`,
  ],
  // The picker of chats is a page of the emulator, where LINE's app would open its own.
  [
    'share-target-picker',
    'location.href="".concat("line://picker","?").concat(c.stringify(r))',
    place => `(${EMULATOR}?window.open(${EMULATOR}+"/oauth2/v2.1/liff/shareTargetPicker?"+c.stringify(r)):(${place}))`,
  ],
]

/** Makes the SDK call the emulator, if the page names one. */
const emulatorCalls = CHANGES.map(([module, place, instead]) => ({
  name: `line-emulator-${module}`,
  transform: {
    filter: { id: new RegExp(`@liff[/\\\\]${module}[/\\\\]lib[/\\\\]index\\.es\\.js$`) },
    handler(code: string) {
      if (code.split(place).length !== 2) throw new Error(`the LIFF SDK's ${module} is written in another way`)
      return { code: code.replace(place, () => instead(place)), map: null }
    },
  },
}))

/** Lets an ordinary browser pass for LINE's if a link of the emulator says so, until the tab is closed. */
const beLine = `
  if (new URLSearchParams(location.search).has('emulated_line')) sessionStorage.setItem('LIFF_STORE:isInClient', '1')
  if (sessionStorage.getItem('LIFF_STORE:isInClient') === '1') document.documentElement.dataset.liff = ''`

/**
 * Makes the emulator at `emulatorUrl` (without a slash at the end) take LINE's place. A build contains it only if it is
 * given, which it is for the journeys.
 */
export function lineInDevelopment(emulatorUrl: string | undefined): Plugin[] {
  const inDependencies: Plugin = {
    name: 'line-in-development',
    apply: 'serve',
    config: () => ({ optimizeDeps: { rolldownOptions: { plugins: emulatorCalls } } }),
  }
  if (!emulatorUrl) return [inDependencies]
  const children = `${EMULATOR} = ${JSON.stringify(emulatorUrl)}${beLine}`
  return [
    inDependencies,
    ...emulatorCalls.map(each => ({ ...each, apply: 'build' as const })),
    { name: 'line-emulator', transformIndexHtml: () => [{ tag: 'script', children, injectTo: 'head-prepend' }] },
  ]
}
