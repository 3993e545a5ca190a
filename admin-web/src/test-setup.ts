import { startServer } from '@shop/web/testing.tsx'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'
import { server } from './testing/site.tsx'

// Screens are loaded when they are opened; on a busy machine that takes a while.
configure({ asyncUtilTimeout: 10_000 })

startServer(server)

// The tests run without antd's styles, of which this alone decides what a person can reach.
beforeAll(() => {
  const style = document.createElement('style')
  style.textContent = '[class*="-hidden"] { display: none }'
  document.head.append(style)
})
afterEach(cleanup)
