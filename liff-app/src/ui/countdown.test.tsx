import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Countdown, remainingMsOf } from './countdown.tsx'

const SERVER_NOW = '2026-11-20T07:05:00.000Z'
const inSeconds = (seconds: number) => new Date(Date.parse(SERVER_NOW) + seconds * 1000).toISOString()
const show = (seconds: number) =>
  render(<Countdown serverNow={SERVER_NOW} receivedAt={Date.now()} expiresAt={inSeconds(seconds)} totalSeconds={900} />)
const timer = () => screen.getByRole('timer').textContent
const spoken = () => document.querySelector('[aria-live=polite]')?.textContent
const pass = (seconds: number) => act(() => vi.advanceTimersByTime(seconds * 1000))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("the time left is the server's, however wrong this device's clock is", () => {
  vi.setSystemTime(new Date('2031-01-01T00:00:00Z'))
  show(872)
  expect(timer()).toContain('14:32')
  pass(2)
  expect(timer()).toContain('14:30')
  expect(screen.getByText('ชำระภายใน 14:19 น.')).toBeTruthy()
})

test('a device that slept shows the true time as soon as the page is seen again', () => {
  show(600)
  vi.setSystemTime(Date.now() + 300_000)
  expect(timer()).toContain('10:00')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(timer()).toContain('05:00')
})

test('milestones are spoken once when they are passed, and after a sleep only the newest', () => {
  show(601)
  expect(spoken()).toBe('')
  pass(1)
  expect(spoken()).toBe('เหลือเวลา 10 นาที')
  vi.setSystemTime(Date.now() + 490_000)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(spoken()).toBe('เหลือเวลา 2 นาที')
})

test('the last two minutes warn; the end says that a late payment can still be reported', () => {
  show(120)
  expect(screen.getByRole('timer').className).not.toContain('text-warn')
  pass(1)
  expect(screen.getByRole('timer').className).toContain('text-warn')
  pass(200)
  expect(timer()).toContain('00:00')
  expect(spoken()).toBe('หมดเวลาแล้ว โอนแล้วกดแจ้งได้')
})

test('time left never goes below zero', () => {
  expect(remainingMsOf({ serverNow: SERVER_NOW, receivedAt: 0, expiresAt: inSeconds(5) }, 60_000)).toBe(0)
})
