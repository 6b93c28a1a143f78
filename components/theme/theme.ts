import {
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  Modal,
  Notification,
  Tooltip,
} from "@mantine/core";

/** One accent, dense sizes, and the contrasts with which axe finds nothing in both schemes. */
export const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  luminanceThreshold: 0.179,
  defaultRadius: "sm",
  respectReducedMotion: true,
  fontFamily: "var(--font-words), system-ui, sans-serif",
  fontFamilyMonospace: "var(--font-mono), ui-monospace, monospace",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "1.35", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  headings: {
    fontFamily: "var(--font-words), system-ui, sans-serif",
    fontWeight: "650",
    sizes: {
      h1: { fontSize: "20px", lineHeight: "1.3" },
      h2: { fontSize: "16px", lineHeight: "1.35" },
      h3: { fontSize: "14px", lineHeight: "1.4" },
    },
  },
  components: {
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { "aria-label": "Dismiss notification" } },
    }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { "aria-label": "Close dialog" } },
    }),
    // A dialog's header is not the page's banner, although its element says so.
    ModalHeader: Modal.Header.extend({ defaultProps: { role: "presentation" } }),
    Badge: Badge.extend({ defaultProps: { variant: "light", tt: "none", radius: "sm" } }),
    Button: Button.extend({ defaultProps: { size: "sm" } }),
    Input: Input.extend({ defaultProps: { size: "sm" } }),
    Tooltip: Tooltip.extend({
      defaultProps: { events: { hover: true, focus: true, touch: true } },
    }),
  },
});

/** Mantine's own shades for dimmed text and errors are too pale for WCAG AA. */
export const cssVariables: CSSVariablesResolver = (current) => ({
  variables: {},
  light: {
    "--mantine-color-error": current.colors.red?.[9] ?? "#c92a2a",
    "--mantine-color-dimmed": current.colors.gray?.[7] ?? "#495057",
    "--mantine-color-placeholder": current.colors.gray?.[7] ?? "#495057",
    "--mantine-color-yellow-light-color": "#5c3c00",
    "--mantine-color-green-light-color": "#1b5e2a",
    "--mantine-color-red-light-color": current.colors.red?.[9] ?? "#c92a2a",
    "--frame-ground": "#f6f7f9",
  },
  dark: {
    "--mantine-color-error": current.colors.red?.[4] ?? "#ff8787",
    "--mantine-color-dimmed": current.colors.dark?.[1] ?? "#b8b8b8",
    "--mantine-color-placeholder": current.colors.dark?.[1] ?? "#b8b8b8",
    "--frame-ground": "#1b1c1f",
  },
});
