import { randomUUID } from 'node:crypto'
import { QUEUED } from '@shop/shared/order/queue.ts'
import { claimOrders, listQueue, renewClaim } from '@shop/shared/order/queue-endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { randomFrom } from '../testing/random.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addPaidOrders } from '../testing/queue.ts'
import { releaseLapsedClaims } from './expiry.ts'

const STAFF = 50
const ORDERS = 2000
