import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './styles/tokens.css'
import './styles/frame.css'
import './styles/parts.css'
import './styles/cards.css'
import './styles/table.css'
import { applyTheme } from './parts/theme.ts'
import { language } from './words/words.ts'

document.documentElement.lang = language()
applyTheme()

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
