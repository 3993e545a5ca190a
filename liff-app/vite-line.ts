import type { Plugin } from 'vite'

const EMULATOR = 'globalThis.lineEmulatorUrl'
/** The SDK's one place that builds the addresses it calls; it offers no setting for them. */
const built = '"https://".concat(a,".").concat("line.me","/").concat(n)'

/** Sends what the SDK asks LINE to the emulator, where the page names one. */
const emulatorCalls = {
  name: 'line-emulator-calls',
  transform: {
    filter: { id: /@liff[/\\]server-api[/\\]lib[/\\]index\.es\.js$/ },
    handler(code: string) {
      if (code.split(built).length !== 2) throw new Error('the LIFF SDK builds its addresses in another way')
      return { code: code.replace(built, `(${EMULATOR}?${EMULATOR}+"/".concat(n):${built})`), map: null }
    },
  },
}

/** Lets an ordinary browser be LINE's: the emulator's links carry the mark, which lasts as long as the tab. */
const beLine = `
  if (new URLSearchParams(location.search).has('emulated_line')) sessionStorage.setItem('LIFF_STORE:isInClient', '1')
  if (sessionStorage.getItem('LIFF_STORE:isInClient') === '1') document.documentElement.dataset.liff = ''`

/**
 * LINE during development: `emulatorUrl` (without a slash at the end) takes LINE's place. Builds know nothing of it.
 */
export function lineInDevelopment(emulatorUrl: string | undefined): Plugin {
  return {
    name: 'line-in-development',
    apply: 'serve',
    config: () => ({ optimizeDeps: { rolldownOptions: { plugins: [emulatorCalls] } } }),
    transformIndexHtml: () =>
      emulatorUrl
        ? [
            {
              tag: 'script',
              children: `${EMULATOR} = ${JSON.stringify(emulatorUrl)}${beLine}`,
              injectTo: 'head-prepend',
            },
          ]
        : [],
  }
}
