import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { RowLink } from './row-link.tsx'
import { useRowOpeners } from './use-row-openers.ts'

const onOpen = vi.fn()
const onEdit = vi.fn()

function List() {
  useRowOpeners()
  return (
    <table>
      <tbody>
        <tr>
          <td>
            <RowLink to="?order=1" onOpen={onOpen}>
              KT1
            </RowLink>
          </td>
          <td>149 บาท</td>
          <td>
            <button type="button" onClick={onEdit}>
              <b>แก้ไข</b>
            </button>
          </td>
        </tr>
        <tr>
          <td>
            <RowLink to="/management/package/2">ROV</RowLink>
          </td>
          <td>6 แพ็กเกจ</td>
        </tr>
        <tr>
          <td>
            <button type="button" className="row-opener" onClick={onEdit}>
              รายละเอียด
            </button>
          </td>
          <td>เมื่อวาน</td>
        </tr>
        <tr>
          <td>
            <a href="/elsewhere">KT9</a>
          </td>
          <td>ไม่มีอะไรให้เปิด</td>
        </tr>
      </tbody>
    </table>
  )
}

function Place() {
  return <output>{useLocation().pathname}</output>
}

beforeEach(() => {
  vi.clearAllMocks()
  getSelection()?.removeAllRanges()
  render(
    <MemoryRouter>
      <List />
      <Place />
    </MemoryRouter>,
  )
})

test('a click on a row is one on its link, which gets the focus', () => {
  fireEvent.click(screen.getByText('149 บาท'))
  expect(onOpen).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'KT1' }))
  fireEvent.click(screen.getByText('6 แพ็กเกจ'))
  expect(screen.getByRole('status').textContent).toBe('/management/package/2')
})

test('the link itself is pressed once, and the other controls of the row keep their clicks', () => {
  fireEvent.click(screen.getByText('KT1'))
  expect(onOpen).toHaveBeenCalledTimes(1)
  fireEvent.click(screen.getByText('แก้ไข'))
  expect(onEdit).toHaveBeenCalledTimes(1)
  expect(onOpen).toHaveBeenCalledTimes(1)
})

test('a button opens a row that has no page, and a row without either opens nothing', () => {
  fireEvent.click(screen.getByText('เมื่อวาน'))
  expect(onEdit).toHaveBeenCalledTimes(1)
  fireEvent.click(screen.getByText('ไม่มีอะไรให้เปิด'))
  expect(screen.getByRole('status').textContent).toBe('/')
})

test.each([
  ['a modifier key', (cell: Element) => fireEvent.click(cell, { ctrlKey: true })],
  ['the middle button', (cell: Element) => fireEvent(cell, new MouseEvent('auxclick', { bubbles: true, button: 1 }))],
])('with %s the browser follows the link, so nothing opens beside the list', (_, press) => {
  const followed = vi.fn((event: Event) => event.preventDefault())
  document.addEventListener('click', followed)
  press(screen.getByText('149 บาท'))
  document.removeEventListener('click', followed)
  expect(onOpen).not.toHaveBeenCalled()
  const onLink = followed.mock.calls
    .map(([event]) => event as MouseEvent)
    .find(({ target }) => target instanceof HTMLAnchorElement)
  expect(onLink?.ctrlKey).toBe(true)
})

test('the middle button opens no row without a page, and the right one none at all', () => {
  const press = (text: string, button: number) =>
    fireEvent(screen.getByText(text), new MouseEvent('auxclick', { bubbles: true, button }))
  press('เมื่อวาน', 1)
  press('149 บาท', 2)
  expect([onEdit.mock.calls, onOpen.mock.calls]).toEqual([[], []])
})

test('whoever has just marked a text of the row stays', () => {
  const cell = screen.getByText('149 บาท')
  getSelection()?.selectAllChildren(cell)
  fireEvent.click(cell)
  expect(onOpen).not.toHaveBeenCalled()
})
