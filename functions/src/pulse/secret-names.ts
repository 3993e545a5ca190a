import { aboutOf, environment, type OwnSecret } from '../environment/environment.ts'
import { GATEWAYS } from '../gateway/gateways.ts'
import { SLIP_PROVIDERS } from '../slipcheck/providers.ts'
import { SUPPLIERS } from '../supplier/suppliers.ts'

type KeysOf<Table extends Record<string, { keys: readonly string[] }>> = Table[keyof Table]['keys'][number]
/** The name of a secret: one of the server, or a key of whom it asks. */
export type SecretName = OwnSecret | KeysOf<typeof SLIP_PROVIDERS> | KeysOf<typeof SUPPLIERS> | KeysOf<typeof GATEWAYS>

/** The names of all secrets. */
export const SECRETS: readonly string[] = [
  ...Object.entries(environment.shape).flatMap(([name, schema]) => (aboutOf(schema).isSecret ? [name] : [])),
  ...Object.values({ ...SLIP_PROVIDERS, ...SUPPLIERS, ...GATEWAYS }).flatMap(({ keys }): readonly string[] => keys),
]
