// `npm run rehearse` puts the shop online by docs/operations/deploy.md, `npm run rehearse -- ha` loses the machines of
// docs/operations/high-availability.md, `npm run rehearse -- one-machine` walks docs/operations/one-machine.md on an empty Debian. Each
// ends in "N passed, M failed".
const REHEARSALS: Record<string, () => Promise<unknown>> = {
  online: () => import('./rehearse/online.ts'),
  ha: () => import('./rehearse/ha/ha.ts'),
  'one-machine': () => import('./rehearse/one-machine/one-machine.ts'),
}

const rehearse = REHEARSALS[process.argv[2] ?? 'online']
if (!rehearse) throw new Error(`There are rehearsals of: ${Object.keys(REHEARSALS).join(', ')}.`)
await rehearse()

export {}
