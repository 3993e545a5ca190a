import { expect, test } from 'vitest'
import { listMenu } from './menu.ts'

const list = (caller: Parameters<typeof listMenu>[0]) => {
  const { main, groups } = listMenu(caller, 'https://admin.example')
  return { main: main.map(({ to }) => to), groups: groups.map(({ entries }) => entries.length) }
}

test('each role sees the pages the permission table gives it', () => {
  expect(list('guest')).toEqual({ main: ['/game'], groups: [] })
  expect(list('customer')).toEqual({ main: ['/game', '/purchase/history'], groups: [] })
  expect(list('agent')).toEqual({ main: ['/game', '/purchase/history', '/wallet'], groups: [] })
  expect(list('staff')).toEqual({ main: ['/game', '/purchase/history', '/wallet'], groups: [1] })
  expect(list('manager')).toEqual({ main: ['/game', '/purchase/history', '/wallet'], groups: [8, 2] })
})

test('staff pages are links to the admin site', () => {
  expect(listMenu('staff', 'https://admin.example').groups[0]?.entries[0]?.to).toBe(
    'https://admin.example/management/history',
  )
})
