// The outside parties of the demo shop's past, each at the clock of the desk.
import { type RunningGateway, startGateway } from './gateway/server.ts'
import { startPlayerLookup } from './player-lookup.ts'
import { type RunningSlipProvider, startSlipProvider } from './slip-provider/server.ts'
import { demoSuppliers } from './supplier/demo.ts'
import { callbackPath, environmentOf, type RunningSupplier, startSupplier } from './supplier/server.ts'

export interface DemoOutside {
  bank: RunningSlipProvider
  gateway: RunningGateway
  suppliers: readonly RunningSupplier[]
  /** The configuration with which the shop asks them. */
  environment: Record<string, string>
  stop(): Promise<void>
}

/** @param send brings the shop what gateway and suppliers tell by themselves */
export async function openOutside(
  now: () => Date,
  send: (path: string, message: { headers: Record<string, string>; body: string }) => Promise<void>,
): Promise<DemoOutside> {
  const bank = await startSlipProvider({ port: 0, now })
  const players = await startPlayerLookup({ port: 0 })
  const gateway = await startGateway({ port: 0, now, tell: message => send('/gateway/hear/opn', message) })
  const suppliers = await Promise.all(
    demoSuppliers.map(({ products, ...sold }) =>
      startSupplier({
        ...sold,
        // Prices change in the past.
        products: products.map(product => ({ ...product })),
        port: 0,
        now,
        tell: callback => send(callbackPath(sold.name), callback),
      }),
    ),
  )
  return {
    bank,
    gateway,
    suppliers,
    environment: {
      PLAYER_LOOKUP_URL: players.origin,
      G2BULK_URL: `${players.origin}/v1`,
      SLIP_PROVIDER: 'slipok',
      SLIP_MONTHLY_QUOTA: '1000',
      ...bank.environment,
      ...gateway.environment,
      ...environmentOf(suppliers),
    },
    async stop() {
      await Promise.all([bank, players, gateway, ...suppliers].map(each => each.stop()))
    },
  }
}
