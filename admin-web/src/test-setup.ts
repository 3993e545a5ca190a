import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Screens are loaded when they are opened; on a busy machine that takes a while.
configure({ asyncUtilTimeout: 10_000 })

afterEach(cleanup)
