/* Stands in for the library of Windows that Rust's standard library reads random numbers from: Wine 8 has none. */
#include <windows.h>

#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return RtlGenRandom(data, length);
}
