import type { Ports } from 'local/ports.ts'
import { inject } from 'vitest'

/** Ports of the shop in which this file's journeys happen: the worker's own, so that nobody else is in it meanwhile. */
export const shopPorts = (): Ports => inject('shops')[Number(process.env.VITEST_POOL_ID) - 1]!
