import { getMe, type Me } from '@shop/shared/account/endpoints.ts'
import { listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import { getWallet, type OwnTransaction, type WalletView } from '@shop/shared/wallet/endpoints.ts'
import { listTopUpMethods } from '@shop/shared/wallet/top-up-endpoints.ts'
import { fake, person } from '@shop/web/testing.tsx'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach } from 'vitest'
import { write } from '../storage.ts'
import { fakeBuyer, startShopServer } from '../testing.tsx'

/** Somebody with a wallet. */
export const agent: Me = { ...person, role: 'agent', roleName: 'ตัวแทน', hasWallet: true }

/** A wallet with 4,285 of at most 20,000 baht, and top-ups from 500 baht on. */
export const wallet: WalletView = {
  id: '0193a000-0000-7000-8000-000000000001',
  tier: { id: 1, name: 'Gold' },
  balanceSatang: 4285_00,
  maxAmountSatang: 20_000_00,
  minTopUpSatang: 500_00,
  maxAmountPerOrderSatang: 10_000_00,
  maxItemPerOrder: 10,
  waitingSatang: 0,
  thisMonthSatang: 0,
  roomSatang: 15_715_00,
  twoApproversAboveSatang: 10_000_00,
  pin: { wrongTries: 0, wrongToday: 0, lock: null },
  nowDate: '2026-11-20T07:00:00.000Z',
}

/** A line of the wallet's history: 1,000 baht topped up, and approved. */
export const movement = (no: string, change: Partial<OwnTransaction> = {}): OwnTransaction => ({
  id: `0193a000-0000-7000-8000-0000000000${no.slice(-2)}`,
  no,
  actionType: 'เติมเงิน',
  transType: 'ฝาก',
  amountSatang: 1000_00,
  unit: 'บาท',
  status: 'approve',
  slipId: null,
  receivingAccountId: null,
  payment: null,
  orderNo: null,
  gameName: null,
  packageName: null,
  reason: null,
  createdDate: wallet.nowDate,
  canEdit: false,
  canCancel: false,
  isSlipConfirmed: false,
  ...change,
})

/** The text of the alert on the page, apart from the empty live region of toasts. */
export async function findAlert(): Promise<string | null> {
  const alerts = await waitFor(() => {
    const filled = screen.getAllByRole('alert').filter(each => each.textContent)
    if (filled.length === 0) throw new Error('no alert')
    return filled
  })
  return alerts[0]!.textContent
}

/** Starts the API with the agent signed in; a test adds the answers it is about. */
export function startWalletServer() {
  const server = startShopServer()
  beforeEach(() => {
    write('user', agent)
    server.use(
      fake(getMe, () => agent),
      fake(getWallet, () => wallet),
      fakeBuyer({ wallet }),
      fake(listReceivingAccounts, () => []),
      fake(listTopUpMethods, () => []),
    )
  })
  return server
}
