import { startServer } from '@shop/web/testing.tsx'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'
import { server } from './testing/site.tsx'

// The code of a page is loaded when it is opened, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 30_000 })

startServer(server)

// The tests run without antd's styles; this is the only one of them that hides anything from a person.
beforeAll(() => {
  const style = document.createElement('style')
  style.textContent = '[class*="-hidden"] { display: none }'
  document.head.append(style)
})
afterEach(cleanup)
