import { type ListedUser, searchUsers } from '@shop/shared/account/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

/** Answers that wait until a test gives them, by the name that was searched for. */
const answers = new Map<string, () => void>()
const bought = { orders: 0, spentSatang: 0, lastOrderAt: null }
const person = (displayName: string): ListedUser => ({ ...staff, ...bought, uid: displayName, displayName })

function openList(failing: string[] = []) {
  answers.clear()
  server.use(
    fake(searchUsers, async (_, url) => {
      const name = url.searchParams.get('name') ?? ''
      if (name !== '') await new Promise<void>(resolve => answers.set(name, resolve))
      if (failing.includes(name)) throw new AppError('NOT_FOUND')
      return { rows: [person(name || 'everybody')], total: 1, nowDate: '2026-11-20T07:00:00.000Z' }
    }),
  )
  renderSite({ path: '/management/user' })
}
function search(name: string) {
  const box = screen.getByLabelText('ชื่อ อีเมล เบอร์โทรเต็ม หรือรหัส LINE')
  fireEvent.change(box, { target: { value: name } })
  fireEvent.blur(box)
}
const list = () => screen.getByRole('region', { name: 'รายการผู้ใช้งาน' })
const isBusy = () => list().getAttribute('aria-busy')
const answer = async (name: string) => {
  await waitFor(() => expect(answers.has(name)).toBe(true))
  answers.get(name)!()
}

test('rows of the filter before are busy until the new one is answered; an answer that comes late changes nothing', async () => {
  openList()
  await screen.findByText('everybody')
  await waitFor(() => expect(isBusy()).toBe('false'))
  search('slow')
  await waitFor(() => expect(isBusy()).toBe('true'))
  screen.getByText('everybody')
  await waitFor(() => expect(answers.has('slow')).toBe(true))
  search('quick')
  await answer('quick')
  await screen.findByText('quick')
  expect(isBusy()).toBe('false')
  await answer('slow')
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(list().textContent).toContain('quick')
  expect(list().textContent).not.toContain('slow')
})

test('a filter that fails leaves no old rows to be taken for its own', async () => {
  openList(['broken'])
  await screen.findByText('everybody')
  search('broken')
  await answer('broken')
  await screen.findByText('ไม่สามารถค้นหาได้ กรุณาลองอีกครั้ง')
  expect(screen.queryByText('everybody')).toBeNull()
  expect(isBusy()).toBe('false')
})
