import { lookingBy, startServer } from '@shop/web/testing.tsx'
import { cleanup, configure, getConfig } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'
import { server } from './testing/site.tsx'

configure(lookingBy(getConfig))

startServer(server)

// The tests run without antd's styles; this is the only one of them that hides anything from a person.
beforeAll(() => {
  const style = document.createElement('style')
  style.textContent = '[class*="-hidden"] { display: none }'
  document.head.append(style)
})
afterEach(cleanup)
