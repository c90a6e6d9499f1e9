" ALE against the server, in Vim: what a user of ALE sees, set up by the lines of docs/editors/vim.md.
"   CONFIG=those-lines.vim FILE=mlp.py vim -Es -u vim.vim -i NONE -n
set nocompatible hidden noswapfile encoding=utf-8
filetype plugin on
let g:ale_linters = {'python': ['relax']}
let g:ale_lint_on_text_changed = 'always'
let g:ale_lint_delay = 20
let g:ale_hover_to_preview = 1
source $CONFIG

let s:failed = 0
let s:lines = []

function! s:Say(line) abort
  call add(s:lines, a:line)
endfunction

" Lets channels work until the probe answers; Vim hears them only while it waits.
function! s:Wait(what, probe) abort
  let l:start = reltime()
  while reltimefloat(reltime(l:start)) < 180
    let l:found = a:probe()
    if !empty(l:found)
      return l:found
    endif
    sleep 20m
  endwhile
  throw 'waited for ' . a:what
endfunction

function! s:Step(what, act) abort
  try
    let l:note = a:act()
    call s:Say('  ok   ' . a:what . (empty(l:note) ? '' : ': ' . substitute(l:note, '\_s\+', ' ', 'g')))
  catch
    let s:failed += 1
    call s:Say('  FAIL ' . a:what . ': ' . v:exception)
  endtry
endfunction

function! s:Preview() abort
  for l:window in range(1, winnr('$'))
    if getwinvar(l:window, '&previewwindow')
      return join(getbufline(winbufnr(l:window), 1, '$'), "\n")
    endif
  endfor
  return ''
endfunction

function! s:Replace(text, with) abort
  execute 'silent %substitute/' . a:text . '/' . a:with . '/'
  " As typing does it, which a script does not.
  doautocmd TextChanged
endfunction

function! s:Problems() abort
  return map(copy(ale#engine#GetLoclist(bufnr(''))), {_, it -> it.text})
endfunction

function! s:Diagnostic() abort
  call ale#Queue(0)
  call s:Wait('a server', {-> !empty(getbufvar(bufnr(''), 'ale_linted', 0))})
  call s:Replace('nn\.relu', 'nn.rellu')
  let l:found = s:Wait('a diagnostic', function('s:Problems'))
  call s:Replace('nn\.rellu', 'nn.relu')
  call s:Wait('none', {-> empty(s:Problems())})
  return l:found[0]
endfunction

function! s:Hover() abort
  call cursor(search('(active, w2'), 0)
  call search('active, w2')
  ALEHover
  let l:text = s:Wait('a preview', function('s:Preview'))
  pclose
  if l:text !~# 'batch, 32'
    throw l:text
  endif
  return l:text
endfunction

function! s:Definition() abort
  call cursor(search('(active, w2'), 0)
  call search('active, w2')
  let l:target = search('active = ', 'nw')
  ALEGoToDefinition
  call s:Wait('the cursor there', {-> line('.') == l:target})
  return ''
endfunction

function! s:Text() abort
  return join(getline(1, '$'), "\n")
endfunction

" What a user types where ALE asks.
function! s:Answer(answer) abort
  runtime autoload/ale/util.vim
  let g:relax_answer = a:answer
  function! ale#util#Input(message, value, ...) abort
    let g:relax_asked = a:message
    return g:relax_answer
  endfunction
endfunction

function! s:Rename() abort
  call cursor(1, 1)
  call search('hidden = ')
  call s:Answer('inner')
  ALERename
  call s:Wait('the new name in both places', {-> s:Text() =~# 'inner = \_.*nn\.relu(inner)'})
  return ''
endfunction

function! s:Fix() abort
  call s:Replace('nn\.relu', 'nn.rellu')
  call s:Wait('a diagnostic', function('s:Problems'))
  call cursor(1, 1)
  call search('rellu')
  call s:Answer('1')
  ALECodeAction
  call s:Wait('the operator that was meant', {-> s:Text() =~# 'nn\.relu('})
  return matchstr(g:relax_asked, '1) [^\n]*')
endfunction

function! s:Run() abort
  RelaxRun Module.forward batch=2
  let l:text = s:Wait('a preview', function('s:Preview'))
  pclose
  if l:text !~# '"shape":\[2,10\]'
    throw l:text
  endif
  return matchstr(l:text, '"shape":\[2,10\]')
endfunction

function! s:Main() abort
  call s:Say('Vim ' . v:versionlong / 10000)
  execute 'edit' fnameescape($FILE)
  call s:Step('a mistake becomes a diagnostic, and goes with its correction', function('s:Diagnostic'))
  call s:Step('hover shows the StructInfo', function('s:Hover'))
  call s:Step('definition goes to the binding', function('s:Definition'))
  call s:Step('a run answers with its outputs', function('s:Run'))
  call s:Step('rename changes every use', function('s:Rename'))
  call s:Step('a quick fix mends a misspelt operator', function('s:Fix'))
endfunction

function! s:Go() abort
  try
    call s:Main()
  catch
    let s:failed += 1
    call s:Say('  FAIL ' . v:exception . ' at ' . v:throwpoint)
  endtry
  call writefile(s:lines, $SAID)
  execute (s:failed ? 1 : 0) . 'cquit!'
endfunction

autocmd VimEnter * ++nested call s:Go()
