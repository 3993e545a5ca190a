import type { Page } from 'playwright-core'

/**
 * From now on a page's browser translates it as Chrome does: a <font> comes in the place of each text, also of those that
 * come or change later. It says the same, so that the page is still found by its words.
 */
export const translate = (page: Page): Promise<unknown> =>
  page.addInitScript(`addEventListener('load', () => setTimeout(() => {
    const isLeft = element => element?.closest('font, script, style, textarea, option, svg, [translate=no]')
    const put = text => {
      if (!text.parentNode || !text.data.trim() || isLeft(text.parentElement)) return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
    const putAll = node => {
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
      const texts = []
      while (walker.nextNode()) texts.push(walker.currentNode)
      if (node.nodeType === Node.TEXT_NODE) texts.push(node)
      texts.forEach(put)
    }
    putAll(document.body)
    new MutationObserver(records => {
      for (const { target, type, addedNodes } of records) type === 'characterData' ? put(target) : addedNodes.forEach(putAll)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
    document.documentElement.classList.add('translated-ltr')
  }, 2000))`)
