import { type ListedUser, searchUsers } from '@shop/shared/account/endpoints.ts'
import { fake, person } from '@shop/web/testing.tsx'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'

test('when people came and last bought is shown to the second, in Bangkok', async () => {
  const user: ListedUser = {
    ...person,
    createdDate: '2026-11-20T07:13:05.000Z',
    orders: 2,
    spentSatang: 29_800,
    lastOrderAt: '2026-11-27T17:30:59.000Z',
  }
  server.use(fake(searchUsers, () => ({ rows: [user], total: 1, nowDate: '2026-11-28T07:00:00.000Z' })))
  renderSite({ path: '/management/user' })
  expect(await screen.findByText('20/11/2026 14:13:05')).toBeTruthy()
  expect(screen.getByText('28/11/2026 00:30:59')).toBeTruthy()
})
