import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core';
import { messages } from '../src-shared/words/console/messages.ts';

/** The colour of paydesk, with which the choice of a shop's own colour begins. */
export const BRAND = '#166c52';

/** The colour of paydesk: shades 6 to 9 carry white text at 4.5:1 or better, 0 to 4 are read on dark. */
const pine: MantineColorsTuple = ['#eaf6f1', '#d3ece2', '#a8d9c7', '#7cc6ab', '#56b492', '#35997a', '#1c7d60', BRAND, '#105843', '#0a3f30'];

/**
 * The red for failures and for acts that cannot be undone. It is darker than Mantine's, so that white text has a
 * contrast of 4.5:1.
 */
const red: MantineColorsTuple = [
  '#fff1f0',
  '#ffe3e1',
  '#ffc7c3',
  '#ffa39d',
  '#ff857d',
  '#ef6a62',
  '#cb3a34',
  '#b32a26',
  '#97201e',
  '#761817',
];

/** The yellow for warnings. Text in its darkest shade stands on its lightest shade. */
const orange: MantineColorsTuple = [
  '#fff6ec',
  '#ffecd6',
  '#ffd8ab',
  '#ffc27c',
  '#fdaf57',
  '#ef9634',
  '#cc7415',
  '#a85c0c',
  '#854808',
  '#653604',
];

/**
 * The greys of the dark scheme, with a little of the brand's green: 0 to 3 are text, 4 to 6 lines and controls, 7 to 9
 * surfaces.
 */
const dark: MantineColorsTuple = [
  '#d9dedb',
  '#bfc6c2',
  '#a5aca8',
  '#8b928e',
  '#454b48',
  '#343a37',
  '#292e2b',
  '#1f2321',
  '#191c1b',
  '#141716',
];

/** Widths and heights of the frame, in pixels. */
export const frame = { navigation: 244, mobileTabs: 64, content: 1080, reading: 680, breakpoint: 'sm' } as const;

/** The font size of a field's hints and faults. */
const HINT = 'var(--mantine-font-size-xs)';

/**
 * The one place for colours and sizes. Everything else names a token: a Mantine colour or spacing, or one of the
 * `--paydesk-…` variables below.
 */
export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, red, orange, dark },
  black: '#161d1a',
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily:
    'Inter, -apple-system, BlinkMacSystemFont, "Segoe UI", "Adwaita Sans", Cantarell, Ubuntu, "Noto Sans", Roboto, "Liberation Sans", Arial, system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  // The scale: notes, secondary text, text, lead, small figures. Figures and large figures follow below.
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  lineHeights: { xs: '1.45', sm: '1.5', md: '1.55', lg: '1.5', xl: '1.35' },
  headings: {
    fontWeight: '650',
    textWrap: 'balance',
    sizes: { h1: { fontSize: '1.625rem', lineHeight: '1.25' }, h2: { fontSize: '1rem', lineHeight: '1.4' } },
  },
  variantColorResolver: defaultVariantColorsResolver,
  respectReducedMotion: true,
  components: {
    // What would stop the page from scrolling behind a dialog adds a style tag without our nonce, which the content
    // security policy refuses.
    Modal: {
      defaultProps: { centered: true, lockScroll: false, radius: 'lg', closeButtonProps: { 'aria-label': messages.common.close } },
      styles: { title: { fontWeight: 600 } },
    },
    Alert: { defaultProps: { radius: 'md' }, classNames: { root: 'paydesk-alert' } },
    // Mantine makes both two pixels smaller than the field, which is below the smallest size of the scale.
    InputWrapper: { styles: { description: { fontSize: HINT, lineHeight: 1.45 }, error: { fontSize: HINT, lineHeight: 1.45 } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': messages.common.close } } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': messages.common.showPassword } } },
    SegmentedControl: { classNames: { root: 'paydesk-choice' } },
    Skeleton: { defaultProps: { radius: 'md' } },
    Tooltip: { defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } },
  },
});

/** Contrast corrections of Mantine's defaults to 4.5:1, and the page's own surfaces. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--paydesk-content': `${frame.content}px`,
    '--paydesk-reading': `${frame.reading}px`,
    '--paydesk-figure': '1.75rem',
    '--paydesk-great-figure': '2.5rem',
    '--paydesk-weight-plain': '400',
    '--paydesk-weight-medium': '550',
    '--paydesk-weight-strong': '650',
    '--paydesk-round': '999px',
    // Codes that cameras read are black on white in both schemes.
    '--paydesk-paper': '#ffffff',
    '--paydesk-ink': '#000000',
    '--paydesk-print': '10pt',
    '--paydesk-print-roll': '8pt',
    '--paydesk-print-large': '1.25em',
  },
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': '#687078',
    '--mantine-color-error': 'var(--mantine-color-red-7)',
    '--paydesk-page': '#f6f7f5',
    '--paydesk-card': 'var(--mantine-color-white)',
    '--paydesk-line': '#e3e6e2',
    '--paydesk-hover': '#f0f3f0',
    '--paydesk-good': 'var(--mantine-color-pine-6)',
    '--paydesk-busy': 'var(--mantine-color-blue-6)',
    '--paydesk-warning': 'var(--mantine-color-orange-6)',
    '--paydesk-bad': 'var(--mantine-color-red-7)',
    '--paydesk-idle': 'var(--mantine-color-gray-5)',
    '--paydesk-money-in': 'var(--mantine-color-pine-7)',
    '--paydesk-money-out': 'var(--mantine-color-gray-6)',
    '--paydesk-shadow': '0 1px 2px rgb(22 29 26 / 5%), 0 4px 16px -8px rgb(22 29 26 / 8%)',
    '--paydesk-notice': '#fdf6ec',
    '--paydesk-notice-line': '#f3dcb8',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': '#9aa19d',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-pine-light': '#123a2d',
    '--mantine-color-pine-light-hover': '#174838',
    '--paydesk-page': 'var(--mantine-color-dark-9)',
    '--paydesk-card': 'var(--mantine-color-dark-7)',
    '--paydesk-line': 'var(--mantine-color-dark-5)',
    '--paydesk-hover': 'var(--mantine-color-dark-6)',
    '--paydesk-good': 'var(--mantine-color-pine-4)',
    '--paydesk-busy': 'var(--mantine-color-blue-4)',
    '--paydesk-warning': 'var(--mantine-color-orange-4)',
    '--paydesk-bad': 'var(--mantine-color-red-5)',
    '--paydesk-idle': 'var(--mantine-color-dark-2)',
    '--paydesk-money-in': 'var(--mantine-color-pine-3)',
    '--paydesk-money-out': 'var(--mantine-color-dark-3)',
    '--paydesk-shadow': 'none',
    '--paydesk-notice': '#2a2116',
    '--paydesk-notice-line': '#4d3a1e',
  },
});
