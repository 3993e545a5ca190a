import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Link, MemoryRouter, Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { usePageTitle } from '../page-title.ts'
import type { Contact } from '../settings/contact.ts'
import { Frame } from './frame.tsx'
import type { FrameUser } from './menu.ts'
import { listMenu } from './menu.ts'
import type { Page } from './page.ts'

const contact: Contact = {
  ways: [
    { label: 'ทักร้านทาง LINE', url: 'https://line.me/R/ti/p/%40kraam' },
    { label: '02-123-4567', url: 'tel:021234567' },
  ],
  isByLine: true,
  hours: 'ทุกวัน 09:00–23:00 น.',
  companyName: 'บริษัท คราม เติมเกม จำกัด',
  companyAddress: '99 ถนนสีลม\nกรุงเทพมหานคร 10500',
}
const agent: FrameUser = { displayName: 'น้ำข้าว', role: 'agent', profilePath: '/user/u1' }

const Place = () => <output aria-label="ที่อยู่">{useLocation().pathname}</output>

function show(page: Page, { user = null as FrameUser | null, inLiff = false, screenElement = <h1>หน้า</h1> } = {}) {
  const frame = { user, inLiff, contact, menu: listMenu(user?.role ?? 'guest'), onSignOut: () => undefined }
  render(
    <MemoryRouter initialEntries={['/before', '/here']}>
      <Routes>
        <Route
          path="/here/*"
          element={
            <Frame {...frame} page={page}>
              {screenElement}
            </Frame>
          }
        />
      </Routes>
      <Place />
    </MemoryRouter>,
  )
}
const root: Page = { kind: 'root', title: 'เลือกเกม' }
const checkout: Page = { kind: 'checkout', title: 'ชำระเงิน' }

test('inside LIFF there is no top bar and no skip link; tabs and help stay', () => {
  show(root, { inLiff: true })
  expect(screen.queryByRole('banner')).toBeNull()
  expect(screen.queryByText('ข้ามไปเนื้อหา')).toBeNull()
  expect(screen.getByRole('navigation', { name: 'แท็บหลัก' })).toBeTruthy()
  expect(screen.getByText('ทักร้านทาง LINE')).toBeTruthy()
})

test('the wallet tab is for wallet roles only', () => {
  show(root, { user: agent })
  const listTabs = () =>
    within(screen.getByRole('navigation', { name: 'แท็บหลัก' }))
      .getAllByRole('link')
      .map(tab => tab.textContent)
  expect(listTabs()).toContain('กระเป๋าเงิน')
  cleanup()
  show(root, { user: { ...agent, role: 'customer' } })
  expect(listTabs()).not.toContain('กระเป๋าเงิน')
})

test('a checkout page has a back arrow and its title, and no tabs', () => {
  show(checkout)
  expect(screen.getByRole('button', { name: 'ย้อนกลับ' })).toBeTruthy()
  expect(screen.queryByRole('navigation', { name: 'แท็บหลัก' })).toBeNull()
  expect(document.title).toBe('ชำระเงิน · คราม เติมเกม')
})

test('the foot of every page says who the shop is and how to ask it', () => {
  show(checkout)
  const foot = within(screen.getByRole('contentinfo'))
  expect(foot.getByText(/บริษัท คราม เติมเกม จำกัด/)).toBeTruthy()
  expect(foot.getByText(/99 ถนนสีลม/)).toBeTruthy()
  expect(foot.getByRole('link', { name: 'ทักร้านทาง LINE' }).getAttribute('href')).toContain('%40kraam')
  expect(foot.getByRole('link', { name: '02-123-4567' }).getAttribute('href')).toBe('tel:021234567')
  expect(foot.getByRole('link', { name: 'นโยบายความเป็นส่วนตัว' }).getAttribute('href')).toBe('/privacy')
})

function GameScreen() {
  usePageTitle('PUBG Mobile')
  return <h1>PUBG Mobile</h1>
}

test('a page can name itself once it knows more than its route', async () => {
  show(checkout, { screenElement: <GameScreen /> })
  await waitFor(() => expect(document.title).toBe('PUBG Mobile · คราม เติมเกม'))
})

function Numbers() {
  const navigate = useNavigate()
  return (
    <>
      <Link to="/here/2">ต่อไป</Link>
      <button type="button" onClick={() => navigate(-1)}>
        กลับ
      </button>
    </>
  )
}

test('a page begins at its top and takes the reading position; Back does neither', async () => {
  const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined)
  show(root, { screenElement: <Numbers /> })
  expect(scrollTo).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('link', { name: 'ต่อไป' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
  expect(scrollTo).toHaveBeenCalledExactlyOnceWith(0, 0)
  screen.getByRole('main').blur()
  fireEvent.click(screen.getByRole('button', { name: 'กลับ' }))
  await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/here'))
  expect(document.activeElement).toBe(document.body)
  expect(scrollTo).toHaveBeenCalledTimes(1)
})

test.each([
  ['of the shop leads back to it', { idx: 1 }, '/before'],
  ['elsewhere leads to the games', { idx: 0 }, '/game'],
])('the arrow of a checkout page whose last page was %s', async (_, state, expected) => {
  history.replaceState(state, '')
  show(checkout)
  fireEvent.click(screen.getByRole('button', { name: 'ย้อนกลับ' }))
  await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe(expected))
  history.replaceState(null, '')
})

function BrokenScreen(): never {
  throw new Error('broken on purpose')
}

test('a page that breaks leaves the frame standing and offers to load again', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  show(root, { screenElement: <BrokenScreen /> })
  expect(screen.getByRole('alert').textContent).toContain('เปิดหน้านี้ไม่สำเร็จ')
  expect(screen.getByText('ทักร้านทาง LINE')).toBeTruthy()
})
