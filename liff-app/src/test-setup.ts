import { lookingBy } from '@shop/web/testing.tsx'
import { cleanup, configure, getConfig } from '@testing-library/react'
import { afterEach } from 'vitest'

configure(lookingBy(getConfig))

afterEach(cleanup)
