//! `#[delegate]`: a law around another names what it changes; everything else is that of the law inside.
//!
//! ```text
//! #[delegate(to = &self.law, at = self.edit.see(at).as_ref().unwrap_or(at), default(step))]
//! impl<S: Real, const D: usize, L: Law<S, D>> Law<S, D> for With<L> { .. }
//! ```
//! `to` is the law inside; `at` what it sees instead of `at`; `default` lists the methods that keep the trait's default. Without
//! `to` every method must be written or listed: a law around several others decides each.
use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// The methods of `Law`: name, signature, arguments with which the law inside is called. A test holds this against the trait.
const METHODS: &[(&str, &str, &str)] = &[
    ("respond", "(&self, at: &crate::Slide<S, D>, z: &[S], dz: &mut [S]) -> crate::Friction<S, D>", "{at}, z, dz"),
    ("states", "(&self) -> ::std::vec::Vec<crate::State>", ""),
    ("velocity_scale", "(&self) -> crate::Scale", ""),
    ("rest_speed", "(&self, z: &[S]) -> Option<S>", "z"),
    (
        "step",
        "(&self, at: &crate::Slide<S, D>, dt: S, z0: &[S], z1: &mut [S], dz: &mut [S]) -> Option<[S; D]>",
        "{at}, dt, z0, z1, dz",
    ),
    ("guards", "(&self, at: &crate::Slide<S, D>, z: &[S], g: &mut ::std::vec::Vec<S>)", "{at}, z, g"),
    ("on", "(&self, event: crate::Event<S>, at: &crate::Slide<S, D>, z: &mut [S])", "event, {at}, z"),
    ("stored", "(&self, at: &crate::Slide<S, D>, z: &[S]) -> S", "{at}, z"),
    ("inner", "(&self, at: &crate::Slide<S, D>, z: &[S]) -> Option<crate::Inner>", "{at}, z"),
    ("strength_inside", "(&self, at: &crate::Slide<S, D>) -> Option<S>", "{at}"),
    ("lag", "(&self) -> Option<S>", ""),
    ("intrinsic_time", "(&self) -> Option<f64>", ""),
    ("clocks", "(&self) -> ::std::vec::Vec<::stickslip_formula::Formula>", ""),
    ("kernel", "(&self) -> ::std::vec::Vec<S>", ""),
    ("claims", "(&self, of_kind: crate::Claims) -> crate::Claims", "of_kind"),
    ("fits", "(&self) -> Result<(), crate::LawError>", ""),
    (
        "observe",
        "(&self, at: &crate::Slide<S, D>, z: &[S]) -> ::std::vec::Vec<(&'static str, &'static str, S)>",
        "{at}, z",
    ),
    ("fault", "(&self, at: &crate::Slide<S, D>, z: &[S]) -> Option<&'static str>", "{at}, z"),
];

/// The contents of the attribute.
#[derive(Default)]
struct Asked {
    to: Option<String>,
    at: Option<String>,
    default: Vec<String>,
}

impl Asked {
    fn read(attribute: TokenStream) -> Result<Asked, String> {
        let mut asked = Asked::default();
        let mut parts: Vec<Vec<TokenTree>> = vec![vec![]];
        for token in attribute {
            match (&token, parts.last_mut()) {
                (TokenTree::Punct(p), _) if p.as_char() == ',' => parts.push(vec![]),
                (_, Some(part)) => part.push(token),
                (_, None) => {}
            }
        }
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let text = |tokens: &[TokenTree]| tokens.iter().cloned().collect::<TokenStream>().to_string();
            match &part[..] {
                [TokenTree::Ident(key), TokenTree::Punct(p), rest @ ..] if p.as_char() == '=' && !rest.is_empty() => {
                    match key.to_string().as_str() {
                        "to" => asked.to = Some(text(rest)),
                        "at" => asked.at = Some(text(rest)),
                        other => return Err(format!("`{other}` is neither `to` nor `at`")),
                    }
                }
                [TokenTree::Ident(key), TokenTree::Group(list)] if key.to_string() == "default" => {
                    let names = list.stream().into_iter().filter(|t| matches!(t, TokenTree::Ident(_)));
                    asked.default = names.map(|t| t.to_string()).collect();
                }
                other => return Err(format!("`{}` is not understood", text(other))),
            }
        }
        Ok(asked)
    }
}

/// The implementation with what was left out.
pub fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream, String> {
    let asked = Asked::read(attribute)?;
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let body = match tokens.last() {
        Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => body.stream(),
        _ => return Err("`delegate` belongs to an `impl Law`".into()),
    };
    let inside: Vec<TokenTree> = body.clone().into_iter().collect();
    let written: Vec<String> = inside
        .windows(2)
        .filter(|pair| matches!(&pair[0], TokenTree::Ident(word) if word.to_string() == "fn"))
        .map(|pair| pair[1].to_string())
        .collect();
    if let Some(both) = asked.default.iter().find(|name| written.contains(name)) {
        return Err(format!("`{both}` is written, so that it has no default"));
    }
    if let Some(unknown) = asked.default.iter().find(|name| METHODS.iter().all(|m| m.0 != name.as_str())) {
        return Err(format!("`{unknown}` is no method of `Law`"));
    }
    let left = METHODS.iter().filter(|(name, ..)| {
        !written.iter().any(|other| other == name) && !asked.default.iter().any(|other| other == name)
    });
    let mut more = String::new();
    for (name, signature, arguments) in left {
        let Some(to) = &asked.to else {
            return Err(format!("`{name}` is neither written nor in `default(..)`, and there is no `to`"));
        };
        let call = arguments.replace("{at}", asked.at.as_deref().unwrap_or("at"));
        let separator = if call.is_empty() { "" } else { ", " };
        more.push_str(&format!(
            "#[inline] fn {name}{signature} {{ crate::Law::<S, D>::{name}({to}{separator}{call}) }}\n"
        ));
    }
    let more: TokenStream = more.parse().map_err(|e| format!("{e}"))?;
    tokens.pop();
    let whole: TokenStream = body.into_iter().chain(more).collect();
    tokens.push(TokenTree::Group(Group::new(Delimiter::Brace, whole)));
    Ok(tokens.into_iter().collect())
}
