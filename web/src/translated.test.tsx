import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { surviveTranslation } from './translated.ts'

let set: (value: { count: number; word: string | null; isWide: boolean }) => void
let root: Root
let place: HTMLElement

/** Bare texts beside what comes and goes, as pages have them. */
function Page() {
  const [{ count, word, isWide }, setValue] = useState({ count: 1, word: 'one' as string | null, isWide: false })
  set = setValue
  return (
    <p>
      เหลือ {count} รายการ {word} {isWide && <b>กว้าง</b>}
      จบ
      {isWide ? 'ยาว' : null}
    </p>
  )
}

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  surviveTranslation()
})
beforeEach(async () => {
  place = document.body.appendChild(document.createElement('main'))
  root = createRoot(place)
  await act(async () => root.render(<Page />))
})
afterEach(async () => {
  await act(async () => root.unmount())
  place.remove()
})

function textsOf(node: Node): Text[] {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (walker.nextNode()) found.push(walker.currentNode as Text)
  return found.filter(text => text.parentElement?.tagName !== 'FONT')
}

const font = (...inside: (Node | string)[]) => {
  const [outer, inner] = [document.createElement('font'), document.createElement('font')]
  inner.append(...inside)
  outer.append(inner)
  return outer
}

const TRANSLATORS = {
  'puts a copy in the place of each text': (text: Text) => text.replaceWith(font(text.data)),
  'puts a copy before each text and takes that away': (text: Text) => {
    text.before(font(text.data))
    text.remove()
  },
  'wraps each text': (text: Text) => {
    const outer = font()
    text.replaceWith(outer)
    outer.firstElementChild!.append(text)
  },
}

test.each(Object.entries(TRANSLATORS))(
  'a page whose browser %s says what is so, and goes away',
  async (_, translate) => {
    const change = async (...value: Parameters<typeof set>) => {
      textsOf(place).forEach(translate)
      // What watches is told after the change.
      await Promise.resolve()
      await act(async () => set(...value))
      await Promise.resolve()
      return place.textContent
    }
    expect(await change({ count: 2, word: 'two', isWide: true })).toBe('เหลือ 2 รายการ two กว้างจบยาว')
    expect(await change({ count: 3, word: null, isWide: false })).toBe('เหลือ 3 รายการ  จบ')
    expect(await change({ count: 4, word: 'four', isWide: true })).toBe('เหลือ 4 รายการ four กว้างจบยาว')
    textsOf(place).forEach(translate)
    await act(async () => root.render(null))
    expect(place.textContent).toBe('')
  },
)

test('what is no child is still a fault', () => {
  const [one, two] = [document.createElement('p'), document.createElement('p')]
  two.append(document.createElement('b'))
  expect(() => one.removeChild(two.firstChild!)).toThrow()
  expect(() => one.insertBefore(document.createElement('i'), two.firstChild)).toThrow()
})
