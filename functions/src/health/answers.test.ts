import { expect, test } from 'vitest'
import { openAnswers } from './answers.ts'

test('what a process answers is told for two minutes, and a clock that jumps leaves nothing behind', () => {
  let ms = Date.UTC(2026, 10, 28)
  const answers = openAnswers(() => new Date(ms))
  for (let n = 0; n < 12; n++) {
    answers.note(n % 4 === 0)
    ms += 10_000
  }
  expect(answers.lately()).toEqual({ all: 11, failed: 2 })
  ms += 60_000
  expect(answers.lately()).toEqual({ all: 5, failed: 1 })
  ms -= 3_600_000
  expect(answers.lately()).toEqual({ all: 0, failed: 0 })
  answers.note(true)
  ms += 3_600_000
  expect(answers.lately()).toEqual({ all: 0, failed: 0 })
})
