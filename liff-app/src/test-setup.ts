import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A machine that is busy with other tests may take seconds for what usually takes a moment.
configure({ asyncUtilTimeout: 30_000 })

afterEach(cleanup)
